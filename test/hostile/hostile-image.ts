// A hostile image, with what a run makes of it: the extension of the copy, or the code of the failure.
import sharp, { type Sharp } from 'sharp';
import type { FailureCode } from '#model/failure.ts';

type Outcome = 'png' | 'jpg' | 'webp' | 'gif' | 'avif' | FailureCode;

export interface HostileImage {
  readonly name: string;
  readonly bytes: Buffer;
  readonly outcome: Outcome | readonly Outcome[];
  /** What the server says that it is. */
  readonly type?: string;
}

/** Images of one outcome, by their names. */
export const images = (outcome: HostileImage['outcome'], all: Readonly<Record<string, Buffer>>): HostileImage[] =>
  Object.entries(all).map(([name, bytes]) => ({ name, bytes, outcome }));

export const BROKEN: FailureCode = 'image-undecodable';
export const COSTLY: FailureCode = 'image-too-costly';
export const TOO_MANY: FailureCode = 'image-too-many-pixels';

export const flat = (width: number, height = width, channels: 3 | 4 = 3): Sharp =>
  sharp({
    limitInputPixels: false,
    create: { width, height, channels, background: { r: 9, g: 99, b: 9, alpha: 0.5 } },
  });
/** 36 million pixels in a few kilobytes. */
export const bomb = await flat(6_000).png({ palette: true, colours: 2 }).toBuffer();
