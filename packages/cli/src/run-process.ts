import { processHost } from './process/host.ts';
import { runCli } from './run-cli.ts';
import { describeError, isDebugging, stackOf } from './terminal/report-error.ts';

/** Runs the command line of this process, and returns its exit code. */
export function runProcess(): Promise<number> {
  // Notes of Node and of libraries to developers: nothing that a user asked for.
  if (!isDebugging(process.env)) process.removeAllListeners('warning');

  // What nobody awaits, in a configuration or a driver: told like every other error.
  process.on('uncaughtException', (error) => endWith(describeError(error).message, error));

  // The event loop is empty and the command has not ended: something never settles its promise.
  process.once('beforeExit', () =>
    endWith('A model, adapter or flow of the configuration never answers, and nothing is left to wait for.'),
  );

  return runCli(process.argv.slice(2), processHost());
}

function endWith(message: string, thrown?: unknown): void {
  if (thrown !== undefined && isDebugging(process.env)) process.stderr.write(stackOf(thrown));
  process.stderr.write(`error: ${message} [INTERNAL]\n`);
  process.exit(1);
}
