// Preloaded into the command: its clock is CLOCK_SHIFT milliseconds off, and by CLOCK_JUMP more from CLOCK_JUMP_AFTER
// milliseconds on, or once there is a file CLOCK_JUMP_AT.
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
