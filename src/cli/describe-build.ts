// Describes the result of a build, and how to use the files for its hosts.

import { resolve } from 'node:path';
import { hostsFolder } from '#generator/open-output.ts';
import type { BuildSummary } from '#generator/run-build.ts';
import { findHosts } from '#hosts/all.ts';
import type { Host } from '#hosts/host.ts';
import { shellQuote } from '#text/command-line.ts';
import { formatBytes, formatCount } from '#text/format-count.ts';
import { count } from './amounts.ts';

/** `start`: the value of performance.now() when the build began. */
export function describeBuild(
  summary: BuildSummary,
  { out, start, verify = false }: { readonly out: string; readonly start: number; readonly verify?: boolean },
): string {
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const written = `${count(summary.written, 'file')} written (${formatBytes(summary.writtenBytes)})`;
  const rest = [
    `${formatCount(summary.unchanged)} unchanged`,
    `${formatCount(summary.removed)} removed`,
    ...(verify ? [`${formatCount(summary.repaired)} repaired`] : []),
  ].join(', ');
  const total = `${count(summary.files, 'file')}, ${formatBytes(summary.bytes)}`;
  return `Built ${out} in ${seconds} s: ${written}, ${rest}. It has ${total}. The hash of its responses is ${summary.siteHash}.`;
}

/** Parses the values of `--hosts`. Throws FailureError `usage` for an unknown host. */
export function readHosts(flags: readonly string[]): readonly Host[] {
  return findHosts(flags.flatMap((names) => names.split(',').map((name) => name.trim())));
}

/** Returns how to use the files of a host, with absolute paths, which work in any folder. */
export function useOf({ use }: Host, out: string): string {
  return use.replaceAll('`', '').replace(/\bdist(-hosts)?\b(\/[\w./-]*)?/g, (_, isHosts?: string, rest = '') => {
    return shellQuote(`${resolve(isHosts === undefined ? out : hostsFolder(out))}${rest}`);
  });
}
