#!/usr/bin/env node
/** The executable: ends the process with the exit code of the command line. */

const OLDEST_NODE = [22, 12] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(`askema needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.\n`);
  process.exit(2);
}

const { openCacheFolder, useCompileCache } = await import('./process/compile-cache.ts');
useCompileCache(process.env);
if (import.meta.url.endsWith('.ts')) {
  const { keepStripped } = await import('./process/stripped-sources.ts');
  const folder = openCacheFolder(process.env, 'stripped');
  if (folder !== undefined) keepStripped(folder);
}

const [{ processHost }, { describeError, isDebugging, stackOf }, { runCli }] = await Promise.all([
  import('./process/host.ts'),
  import('./terminal/report-error.ts'),
  import('./run-cli.ts'),
]);

// Notes of Node and of libraries to developers: nothing that a user asked for.
if (!isDebugging(process.env)) process.removeAllListeners('warning');

// What nobody awaits, in a configuration or a driver: told like every other error.
process.on('uncaughtException', (error) => endWith(describeError(error).message, error));

// The event loop is empty and the command has not ended: something never settles its promise.
process.once('beforeExit', () =>
  endWith('A model, adapter or flow of the configuration never answers, and nothing is left to wait for.'),
);

process.exit(await runCli(process.argv.slice(2), processHost()));

function endWith(message: string, thrown?: unknown): void {
  if (thrown !== undefined && isDebugging(process.env)) process.stderr.write(stackOf(thrown));
  process.stderr.write(`error: ${message} [INTERNAL]\n`);
  process.exit(1);
}

export {};
