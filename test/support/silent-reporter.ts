// A reporter that prints nothing.
import type { Reporter } from '#model/reporter.ts';

export const silentReporter: Reporter = { info() {}, warn() {}, progress() {} };
