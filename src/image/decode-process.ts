// Runs a process that decodes images. The system limits the memory of the process, and this file limits its time. The
// process cannot limit either itself.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Failure, fail } from '#model/failure.ts';
import type { Order, Reply } from './decode-program.js';

const PROGRAM = fileURLToPath(new URL('./decode-program.js', import.meta.url));
const FONTS = fileURLToPath(new URL('./fonts.conf', import.meta.url));
/** The time to wait for a result. It is longer than any image may take to decode, since the machine may be busy. */
const PATIENCE_MS = 120_000;
const MAX_STDERR_CHARACTERS = 10_000;
/** Matches messages of libraries that run out of memory. */
const NO_MEMORY = /memory|allocat/i;

export type DecodeProcess = ReturnType<typeof startDecodeProcess>;

/**
 * Starts a process, and returns functions that use and end it. `maxMemory`: its limit in bytes, if the system supports
 * it. `fonts`: the path of a fontconfig configuration.
 */
export function startDecodeProcess(maxMemory: number, patienceMs = PATIENCE_MS, fonts = FONTS) {
  // Without a JIT compiler V8 does not reserve memory for code, so the memory that the limit leaves for images is
  // known.
  const command = [process.execPath, '--jitless', PROGRAM, fonts];
  // Linux enforces this limit, macOS ignores it, and Windows does not support it. On macOS and Windows, the process
  // checks its memory itself.
  const limited = [
    'sh',
    '-c',
    'ulimit -d "$0" 2>/dev/null; export FONTCONFIG_FILE="$1"; shift; exec "$@"',
    String(Math.round(maxMemory / 1024)),
    fonts,
    ...command,
  ];
  const [file, ...args] = (process.platform === 'win32' ? command : limited) as [string, ...string[]];
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' });
  let hasTimedOut = false;
  const ended = watchEnd(child, () => hasTimedOut);
  const end = () => {
    child.kill('SIGKILL');
  };
  return {
    /** Sends an image to decode, and returns the reply. Never rejects. */
    async request(order: Order): Promise<Reply | Failure> {
      const reply = Promise.withResolvers<Reply>();
      using _timer = setTimeout(() => {
        hasTimedOut = true;
        end();
      }, patienceMs);
      child.once('message', reply.resolve);
      // Sending fails only if the process has ended.
      child.send(order, () => {});
      try {
        return await Promise.race([reply.promise, ended]);
      } finally {
        child.off('message', reply.resolve);
      }
    },
    end,
  };
}

function watchEnd(child: ChildProcess, hasTimedOut: () => boolean): Promise<Failure> {
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-MAX_STDERR_CHARACTERS);
  });
  // An idle process must not keep the program running.
  for (const handle of [child, child.channel, child.stderr]) (handle as { unref?(): void } | null)?.unref?.();
  return new Promise((resolve) => {
    const failRetryable = (message: string) => resolve({ ...fail('image-too-costly', message), retryable: true });
    child.once('error', (error) =>
      failRetryable(`The process that decodes images could not be started (${error.message}).`),
    );
    child.once('close', (status, signal) => {
      if (hasTimedOut()) resolve(fail('image-timeout'));
      else if (signal === 'SIGKILL')
        failRetryable('The system killed the process that decoded the image, probably because memory ran out.');
      else resolve(explain(errorOutput, `the decoder ended with ${signal ?? `status ${status}`}`));
    });
  });
}

/** Converts a message of libvips, or the end of its process, to a failure. */
export function explain(errorOutput: string, otherwise = errorOutput.split('\n')[0] as string): Failure {
  if (/pixel limit/i.test(errorOutput)) return fail('image-too-many-pixels');
  if (NO_MEMORY.test(errorOutput)) return fail('image-too-costly');
  return fail('image-undecodable', `The image cannot be decoded: ${otherwise}.`);
}
