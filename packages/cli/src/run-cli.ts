import { CommanderError } from 'commander';
import type { CommandContext } from './commands/command-context.ts';
import { EXIT, exitCodeOf } from './process/exit-code.ts';
import type { Host } from './process/host.ts';
import { listenForInterrupt } from './process/interrupt.ts';
import { createOutput } from './process/output.ts';
import { describeError, isDebugging, reportError, stackOf } from './process/report-error.ts';
import { createProgram } from './program.ts';

/** Runs the command line and returns its exit code. Nothing is thrown: every failure is told on stderr. */
export async function runCli(parameters: readonly string[], host: Host): Promise<number> {
  const out = createOutput(host.stdout, host.env);
  const err = createOutput(host.stderr, host.env);
  const interrupt = listenForInterrupt(host);
  let code: number = EXIT.ok;
  try {
    const context: CommandContext = { host, out, err, signal: interrupt.signal };
    const program = createProgram(context, (result) => {
      code = result;
    });
    await program.parseAsync([...parameters], { from: 'user' });
  } catch (error) {
    code = await reportFailure(error, interrupt.signal.aborted, { host, err });
  } finally {
    interrupt.dispose();
  }
  await Promise.allSettled([out.flush(), err.flush()]);
  return interrupt.exitCode() ?? code;
}

async function reportFailure(
  error: unknown,
  isStopped: boolean,
  { host, err }: Pick<CommandContext, 'host' | 'err'>,
): Promise<number> {
  if (error instanceof CommanderError) {
    // Help and version that were asked for; commander has printed whatever there is to say.
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  if (isDebugging(host.env)) await err.write(stackOf(error));
  if (isStopped) {
    await err.write(`${err.yellow('Stopped.')}\n`);
    return EXIT.interrupted;
  }
  const reported = describeError(error);
  await reportError(reported, err);
  return exitCodeOf(reported.code);
}
