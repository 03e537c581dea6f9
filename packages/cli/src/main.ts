#!/usr/bin/env node
/** The executable: ends the process with the exit code of the command line. */

const OLDEST_NODE = [22, 12] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(`askema needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.\n`);
  process.exit(2);
}

// Notes of Node and of libraries to developers: nothing that a user asked for.
if (!process.env.ASKEMA_DEBUG) process.removeAllListeners('warning');

// The event loop is empty and the command has not ended: something of the configuration never settles its promise.
process.once('beforeExit', () => {
  process.stderr.write(
    'error: A model, adapter or flow of the configuration never answers, and nothing is left to wait for. [INTERNAL]\n',
  );
  process.exit(1);
});

const [{ processHost }, { runCli }] = await Promise.all([import('./process/host.ts'), import('./run-cli.ts')]);
process.exit(await runCli(process.argv.slice(2), processHost()));

export {};
