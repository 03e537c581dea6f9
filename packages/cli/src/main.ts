#!/usr/bin/env node
/** The executable: ends the process with the exit code of the command line. */
import { openCacheFolder, useCompileCache } from './process/compile-cache.ts';

const OLDEST_NODE = [22, 12] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(`askema needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.\n`);
  process.exit(2);
}

// The heap of a catalog grows at once: V8 would double the space for new objects from 1 MB on, and copy them each time.
process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=16');

// Both count for what is loaded from here on, so all else is loaded behind them.
useCompileCache(process.env);
if (import.meta.url.endsWith('.ts')) {
  const { keepStripped } = await import('./process/stripped-sources.ts');
  const folder = openCacheFolder(process.env, 'stripped');
  if (folder !== undefined) keepStripped(folder);
}

const { runProcess } = await import('./run-process.ts');
process.exit(await runProcess());
