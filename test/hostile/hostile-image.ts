// Defines the type of a hostile image with its expected outcome: the file extension of the copy, or the possible
// failure codes.
import sharp, { type Sharp } from 'sharp';
import type { FailureCode } from '#model/failure.ts';

type Outcome = 'png' | 'jpg' | 'webp' | 'gif' | 'avif' | FailureCode;

export interface HostileImage {
  readonly name: string;
  readonly bytes: Buffer;
  readonly outcome: Outcome | readonly Outcome[];
  /** The content type that the server sends; undefined if it sends no type. */
  readonly type?: string;
}

/** Returns cases with the same outcome. The keys of `all` are their names. */
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
/** A PNG of a few kilobytes that has 50 million pixels when decoded. */
export const bomb = await flat(7_100).png({ palette: true, colours: 2 }).toBuffer();
