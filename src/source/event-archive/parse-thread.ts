// Where a thread that parses blocks begins: it opens the cache of compiled code, which is of a thread and not of the
// process, before it loads anything. That saves 150 ms each time.
import module from 'node:module';

module.enableCompileCache();
export const { parseBlock } = await import('./parse-block.ts');
