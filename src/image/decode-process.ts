// A process that decodes images, with a memory limit of the system: memory and time cannot be limited inside one.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Failure, fail } from '#model/failure.ts';
import type { Order, Reply } from './decode-program.js';

const PROGRAM = fileURLToPath(new URL('./decode-program.js', import.meta.url));
const FONTS = fileURLToPath(new URL('./fonts.conf', import.meta.url));
/** Not a cost limit: an image that waits for a busy machine costs nothing. */
const PATIENCE_MS = 120_000;
const MAX_STDERR_CHARACTERS = 10_000;
/** Messages of libraries that run out of memory. */
const NO_MEMORY = /memory|allocat/i;

export type DecodeProcess = ReturnType<typeof startDecodeProcess>;

/** `maxMemory`: maximum bytes of the process, if the system has such limits. */
export function startDecodeProcess(maxMemory: number, patienceMs = PATIENCE_MS) {
  // Without a JIT compiler V8 reserves no memory for code, so the remainder of the limit is known.
  const command = [process.execPath, '--jitless', PROGRAM];
  // Linux enforces this limit; macOS has it and ignores it, Windows has none: there, the process watches itself.
  const limited = [
    'sh',
    '-c',
    'ulimit -d "$0" 2>/dev/null; export FONTCONFIG_FILE="$1"; shift; exec "$@"',
    String(Math.round(maxMemory / 1024)),
    FONTS,
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
    /** Answers an order, or a number that sets the memory allowed for it. Never rejects. */
    async ask(message: Order | number): Promise<Reply | Failure> {
      const reply = Promise.withResolvers<Reply>();
      using _timer = setTimeout(() => {
        hasTimedOut = true;
        end();
      }, patienceMs);
      child.once('message', reply.resolve);
      // If sending fails, the process has ended.
      child.send(message, () => {});
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
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MAX_STDERR_CHARACTERS);
  });
  // An idle process does not keep a run alive.
  for (const handle of [child, child.channel, child.stderr]) (handle as { unref?(): void } | null)?.unref?.();
  return new Promise((resolve) => {
    const lost = (why: string) => resolve({ ...fail('image-too-costly', why), retryable: true });
    child.once('error', (error) => lost(`No process could be started to decode the image (${error.message}).`));
    child.once('close', (status, signal) => {
      if (hasTimedOut()) resolve(fail('image-timeout'));
      else if (signal === 'SIGKILL')
        lost('The system ended the process that decoded the image, most likely for want of memory.');
      else resolve(explain(said, `the decoder ended with ${signal ?? `status ${status}`}`));
    });
  });
}

/** Converts a message of libvips, or the end of its process, to a failure. */
export function explain(said: string, otherwise = said.split('\n')[0] as string): Failure {
  if (/pixel limit/i.test(said)) return fail('image-too-many-pixels');
  if (NO_MEMORY.test(said)) return fail('image-too-costly');
  return fail('image-undecodable', `The image cannot be decoded: ${otherwise}.`);
}
