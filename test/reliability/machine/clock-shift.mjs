// Shifts the clock of the command that preloads this file by CLOCK_SHIFT milliseconds. Later adds CLOCK_JUMP
// milliseconds: when CLOCK_JUMP_AFTER milliseconds have passed, or when the file CLOCK_JUMP_AT exists.
import { existsSync } from 'node:fs';

const { CLOCK_SHIFT = '0', CLOCK_JUMP = '0', CLOCK_JUMP_AFTER = '0', CLOCK_JUMP_AT } = process.env;
const RealDate = globalThis.Date;
const realNow = RealDate.now;

function hasJumped() {
  return CLOCK_JUMP_AT === undefined ? performance.now() >= Number(CLOCK_JUMP_AFTER) : existsSync(CLOCK_JUMP_AT);
}

function now() {
  return realNow() + Number(CLOCK_SHIFT) + (hasJumped() ? Number(CLOCK_JUMP) : 0);
}

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }

  static now() {
    return now();
  }
};
