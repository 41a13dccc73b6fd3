// The first bytes of serialized Clarity values that contain values: responses, options, lists and tuples. Repeated, they
// nest values deeper than the language allows.
export const VALUE_WRAPPERS = ['07', '08', '0a', '0b00000001', '0b0000ffff', '0c000000010161', '0cffffffff00'].map(
  (hex) => Buffer.from(hex, 'hex'),
);
