import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PackedCode, packCode, unpackCode } from '#model/packed-code.ts';

const SOURCE = `;; größer ≥ 1 🙂\n${'(define-public (transfer (amount uint)) (ok amount))\n'.repeat(20)}`;
const INTERFACE = `{"functions":[${'{"name":"transfer","access":"public"},'.repeat(9)}{}]}`;

const packed = () => packCode(SOURCE, INTERFACE);

function unpackOrError(code: PackedCode): unknown {
  try {
    return unpackCode(code);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

describe('packCode', () => {
  test('default', () => {
    const { data, interfaceBytes, sourceBytes } = packed();
    expect([interfaceBytes, sourceBytes]).toEqual([Buffer.byteLength(INTERFACE), Buffer.byteLength(SOURCE)]);
    expect(data.length).toBeLessThan((Buffer.byteLength(INTERFACE) + sourceBytes) / 4);
    expect(zstdDecompressSync(data).toString()).toBe(INTERFACE + SOURCE);
    expect(unpackCode(packed())).toEqual({ source: SOURCE, interfaceJson: INTERFACE });
  });

  test('unpacks any text unchanged, with and without an interface', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme' }),
      fc.constant(''),
    );
    const long = fc.tuple(text, fc.nat(60)).map(([part, times]) => part.repeat(times));
    fc.assert(
      fc.property(
        fc.oneof(text, long),
        fc.option(fc.oneof(text, long), { nil: undefined }),
        (source, interfaceJson) => {
          const code = packCode(source, interfaceJson);
          expect(unpackCode(code)).toEqual({ source, interfaceJson });
          expect(packCode(Buffer.from(source), interfaceJson)).toEqual(code);
          expect(code.data.byteLength).toBe(code.data.buffer.byteLength);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('adds a checksum to code that does not shrink', () => {
    const code = packCode('(define-constant n u1)', undefined);
    for (const at of code.data.keys()) {
      const data = Uint8Array.from(code.data);
      data[at] = (data[at] as number) ^ 1;
      expect(() => unpackCode({ ...code, data })).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^Z(STD)?_/) }),
      );
    }
  });
});

describe('unpackCode', () => {
  test('rejects code truncated at any byte', () => {
    const { data, ...lengths } = packed();
    for (let length = 0; length < data.length; length++)
      expect(unpackOrError({ data: data.slice(0, length), ...lengths })).toMatch(/^Z(STD)?_/);
  });

  test('rejects or ignores any flipped bit', () => {
    const { data, ...lengths } = packed();
    const meaningless: number[] = [];
    for (let bit = 0; bit < data.length * 8; bit++) {
      const flipped = data.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      const refusal = unpackOrError({ data: flipped, ...lengths });
      if (typeof refusal === 'string') expect(refusal, `bit ${bit}`).toMatch(/^Z(STD)?_/);
      else expect(refusal, `bit ${bit}`).toEqual({ source: SOURCE, interfaceJson: INTERFACE });
      if (typeof refusal !== 'string') meaningless.push(bit);
    }
    expect(meaningless.length).toBeLessThan(16);
  });

  test('rejects wrong lengths', () => {
    const { data, interfaceBytes = 0, sourceBytes } = packed();
    expect(unpackOrError({ data, interfaceBytes, sourceBytes: sourceBytes + 1 })).toMatch(/^Z(STD)?_/);
    expect(unpackOrError({ data, interfaceBytes, sourceBytes: sourceBytes - 1 })).toMatch(/^Z(STD)?_/);
    expect(unpackOrError({ data, interfaceBytes: undefined, sourceBytes: 1 })).toMatch(/^Z(STD)?_/);
    expect(unpackOrError({ data: new Uint8Array(10), interfaceBytes: undefined, sourceBytes: 9 })).toMatch(/^Z(STD)?_/);
  });
});
