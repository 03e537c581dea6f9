import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { addAsk } from './commands/ask/ask-command.ts';
import { addAudit } from './commands/audit/audit-command.ts';
import { addChat } from './commands/chat/chat-command.ts';
import { addCheck } from './commands/check/check-command.ts';
import { addDesign } from './commands/design/design-command.ts';
import { addEval } from './commands/eval/eval-command.ts';
import { addHistory } from './commands/history/history-command.ts';
import { addIndex } from './commands/index/index-command.ts';
import { addInit } from './commands/init/init-command.ts';
import { addKnowledge } from './commands/knowledge/knowledge-command.ts';
import { addLint } from './commands/lint/lint-command.ts';
import { addMcp } from './commands/mcp/mcp-command.ts';
import { addModels } from './commands/models/models-command.ts';
import { addNormalize } from './commands/normalize/normalize-command.ts';
import { addRemember } from './commands/remember/remember-command.ts';
import { addSchema } from './commands/schema/schema-command.ts';
import { addServe } from './commands/serve/serve-command.ts';
import { createAtEnd } from './process/at-end.ts';
import type { CommandContext } from './process/command-context.ts';
import { EXIT, exitCodeOf } from './process/exit-code.ts';
import { type Host, STOP_SIGNALS, type StopSignal } from './process/host.ts';
import { createOutput } from './process/output.ts';
import { printable, withoutUserInfo } from './terminal/printable.ts';
import { describeError, isDebugging, reportError, stackOf } from './terminal/report-error.ts';

/** Runs the command line and returns its exit code. Nothing is thrown: every failure is told on stderr. */
export async function runCli(parameters: readonly string[], host: Host): Promise<number> {
  const out = createOutput(host.stdout, host.env);
  const err = createOutput(host.stderr, host.env);
  const interrupt = listenForInterrupt(host);
  const ending = createAtEnd();
  let code: number = EXIT.ok;
  try {
    const { signal, take: takeInterrupts, endWithin } = interrupt;
    const context: CommandContext = { host, out, err, signal, takeInterrupts, endWithin, atEnd: ending.add };
    const program = createProgram(parameters[0], context, (result) => {
      code = result;
    });
    await program.parseAsync([...parameters], { from: 'user' });
  } catch (error) {
    code = await reportFailure(error, interrupt.signal.aborted, { host, err });
  } finally {
    for (const reason of await ending.run())
      await err.write(`${err.yellow(`\`tracing.close\` of the configuration failed: ${printable(reason)}`)}\n`);
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

/** How long the first signal waits for the work to end before the process is ended. */
const GRACE_MS = 3_000;

/** Turns Ctrl-C into an abort. */
interface Interrupt {
  readonly signal: AbortSignal;
  /** See `CommandContext.takeInterrupts`. */
  take(listener: () => void): () => void;
  /** See `CommandContext.endWithin`. */
  endWithin(graceMs: number): void;
  /** The exit code that the received signal asks for; undefined without one, and where the command has its own. */
  exitCode(): number | undefined;
  dispose(): void;
}

/**
 * The first signal aborts, so that the model call and the query stop and the database is closed. A second one, or work
 * that does not end within three seconds, ends the process.
 */
function listenForInterrupt(host: Host): Interrupt {
  const controller = new AbortController();
  let received: StopSignal | undefined;
  let timer: NodeJS.Timeout | undefined;
  let taker: (() => void) | undefined;
  let graceMs = GRACE_MS;
  let hasOwnCode = false;
  const stop = host.onStopSignal((signal) => {
    if (signal === 'SIGINT' && taker !== undefined) return taker();
    if (received !== undefined) return host.exit(STOP_SIGNALS[received]);
    received = signal;
    timer = setTimeout(() => host.exit(STOP_SIGNALS[signal]), graceMs);
    controller.abort(new DOMException(`Stopped by ${signal}.`, 'AbortError'));
  });
  return {
    signal: controller.signal,
    take(listener) {
      taker = listener;
      return () => {
        taker = undefined;
      };
    },
    endWithin(ms) {
      graceMs = ms;
      hasOwnCode = true;
    },
    exitCode: () => (received === undefined || hasOwnCode ? undefined : STOP_SIGNALS[received]),
    dispose() {
      stop();
      clearTimeout(timer);
    },
  };
}

type AddCommand = (program: Command, context: CommandContext, onExitCode: (code: number) => void) => void;

/** All commands, in the order of the help; each registers itself and loads what it needs when it runs. */
const COMMANDS: ReadonlyMap<string | undefined, AddCommand> = new Map([
  ['ask', addAsk],
  ['chat', addChat],
  ['history', addHistory],
  ['remember', addRemember],
  ['schema', addSchema],
  ['check', addCheck],
  ['design', addDesign],
  ['normalize', addNormalize],
  ['lint', addLint],
  ['index', addIndex],
  ['knowledge', addKnowledge],
  ['mcp', addMcp],
  ['models', addModels],
  ['init', addInit],
  ['serve', addServe],
  ['audit', addAudit],
  ['eval', addEval],
]);

/**
 * The command line. Each command loads what it needs only when it runs, so that help and version load no driver and no
 * SDK; of commands that are not meant, not even their options are made. `onExitCode` receives what the command that ran
 * returns.
 */
function createProgram(
  named: string | undefined,
  context: CommandContext,
  onExitCode: (code: number) => void,
): Command {
  const program = new Command('askema')
    .description('Ask a database a question in plain language.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', PROGRAM_HELP)
    .configureOutput(outputOf(context))
    .showSuggestionAfterError(true)
    .showHelpAfterError('`--help` behind the command shows its options and examples.')
    .exitOverride();
  const meant = COMMANDS.get(named);
  for (const add of meant === undefined ? COMMANDS.values() : [meant]) add(program, context, onExitCode);
  return program;
}

function outputOf({ out, err, host }: CommandContext): OutputConfiguration {
  return {
    writeOut: (text) => void out.write(text),
    writeErr: (text) => void err.write(text),
    outputError: (text, write) =>
      write(withoutUserInfo(describeUsageError(text, host.cwd)).replace(/^error:/, err.red('error:'))),
    getOutHasColors: () => out.hasColour,
    getErrHasColors: () => err.hasColour,
    getOutHelpWidth: () => out.columns ?? 100,
    getErrHelpWidth: () => err.columns ?? 100,
  };
}

/** Who forgot the command and wrote a database is told so. */
function describeUsageError(text: string, cwd: string): string {
  const [, word] = /^error: unknown command '(.+?)'/.exec(text) ?? [];
  if (word === undefined || !(/^[a-z]{2,}:/i.test(word) || existsSync(resolve(cwd, word)))) return text;
  return `error: \`${word}\` is no command. To ask it something: askema ask ${word} "QUESTION"\n`;
}

function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}

const PROGRAM_HELP = `
Examples:
  askema ask shop.sqlite "Which five customers spent the most?"
  askema ask sales.parquet "How many orders are there?"
  askema chat shop.sqlite
  askema check postgres://localhost/shop
  askema schema shop.sqlite --format mermaid
  askema lint shop.sqlite --file report.sql
  askema design library.md --out ./library
  askema mcp shop.sqlite --print-config claude
  askema models
  askema init
  askema serve shop.sqlite

DATABASE is the path of a SQLite or DuckDB database, of a Parquet, CSV or JSON file or a folder of them; an address
(sqlite:, duckdb:, postgres://, mysql://, mariadb://,
snowflake://, bigquery://); or a name of askema.config.ts.

Exit codes: 0 answered, 1 no answer or an error found, 2 wrong usage or input, 130 stopped by Ctrl-C.
Environment: ASKEMA_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, OLLAMA_HOST,
ASKEMA_HISTORY, NO_COLOR, FORCE_COLOR, ASKEMA_DEBUG=1 for stack traces.
`;
