// Recognizes paths that Windows reserves for devices.

/** Names of devices, in lower case. Windows ignores case and an extension: `AUX.json` is the device `aux`. */
export const DEVICE_NAMES: readonly string[] = [
  ...['aux', 'con', 'nul', 'prn'],
  ...Array.from({ length: 10 }, (_, digit) => [`com${digit}`, `lpt${digit}`]).flat(),
];

/** True if a part of the path is a device name. */
export function hasDeviceName(path: string): boolean {
  return path.split('/').some((part) => DEVICE_NAMES.includes((part.split('.', 1)[0] ?? '').toLowerCase()));
}
