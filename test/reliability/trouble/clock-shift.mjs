// Preloaded into the command: its clock is CLOCK_SHIFT milliseconds off, and from CLOCK_JUMP_AFTER milliseconds on by CLOCK_JUMP more.
const { CLOCK_SHIFT = '0', CLOCK_JUMP = '0', CLOCK_JUMP_AFTER = '0' } = process.env;
const RealDate = globalThis.Date;
const realNow = RealDate.now;

function now() {
  const jump = performance.now() >= Number(CLOCK_JUMP_AFTER) ? Number(CLOCK_JUMP) : 0;
  return realNow() + Number(CLOCK_SHIFT) + jump;
}

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }

  static now() {
    return now();
  }
};
