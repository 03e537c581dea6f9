import {
  type Access,
  AskemaError,
  type Catalog,
  createBudget,
  isLanguageModel,
  type Outcome,
  QUERY_DEFAULTS,
} from '@askema/core';
import { createText2Sql, type Text2Sql, type Text2SqlOptions } from '@askema/text2sql/ask';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { parseCount } from '../../flags/parse-count.ts';
import { readQuestion } from '../../flags/read-input.ts';
import { defaultFlow, resolveFlow } from '../../flow/resolve-flow.ts';
import { type AnswerFormat, isRowFormat } from '../../format/output-formats.ts';
import { resolveModel } from '../../model/resolve-model.ts';
import { createUnsent } from '../../model/unsent.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { fanOut } from '../../process/fan-out.ts';
import { type Confirmer, canConfirm, createConfirmer } from '../../terminal/confirm.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { printableLines } from '../../terminal/printable.ts';
import { type ProgressLine, startProgressLine } from '../../terminal/progress-line.ts';
import { askBack } from './ask-back.ts';
import { createKnowledgeList, sayNothingIsSent, showUnsent } from './dry-run.ts';
import { keepCutReads } from './keep-cut-reads.ts';
import { limitQueryTime } from './limit-query-time.ts';
import {
  type AskingFlags,
  FALLBACK_NOTE,
  type GivenWithQuestions,
  openAsked,
  readQuestionSetup,
} from './open-asked.ts';
import { type ChartFlag, checkChartFlag, printChart } from './print-chart.ts';
import { printOutcome } from './print-outcome.ts';
import { type AnsweredRun, createRunKeeper } from './run-keeper.ts';
import { createRunProgress } from './run-progress.ts';
import { createTraceTree, openTraceFile } from './trace.ts';

export interface AskFlags extends AskingFlags {
  readonly format: AnswerFormat;
  readonly maxCalls?: string | undefined;
  /** A file that `askema index` made. */
  readonly valueIndex?: string | undefined;
  /** True without a file name. */
  readonly trace?: string | true | undefined;
  /** True without a file name. */
  readonly chart?: ChartFlag;
  readonly dryRun?: boolean | undefined;
  readonly refresh?: boolean | undefined;
  readonly write?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** `askema ask DATABASE QUESTION`; returns the exit code. With `answered`, goes on with that run. */
export async function runAsk(
  words: readonly string[],
  flags: AskFlags,
  context: CommandContext,
  answered?: AnsweredRun,
): Promise<number> {
  const { host, err } = context;
  checkChartFlag(flags.chart);
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const { address, question } = await splitWords(words, loaded, context);
  const { given, setup: ofQuestions } = await readQuestionSetup(flags, loaded, context);
  const budget = readBudget(flags);
  const access = checkWriting(flags, context);
  const here = { ...loaded, cwd: host.cwd };
  const named = await resolveFlow(flags, here);
  const givenMs = flags.timeout === undefined ? undefined : parseDuration(flags.timeout, '--timeout');
  const timeoutMs = givenMs ?? QUERY_DEFAULTS.timeoutMs;
  const database = await openAsked({ address, access, loaded, flags, timeoutMs: givenMs }, context);
  const { adapter } = database;
  try {
    const unsent = flags.dryRun === true ? createUnsent(context.signal) : undefined;
    const choice = await resolveModel({ flag: flags.model, loaded, env: host.env, signal: context.signal, unsent });
    if (unsent !== undefined && !isLanguageModel(choice.model)) return sayNothingIsSent(choice, context);
    if (choice.isFallback) await err.write(`${err.yellow(FALLBACK_NOTE)}\n`);
    const begunWith = beginningOf(answered);
    const flow = named ?? (await defaultFlow(flags, here, { model: choice.model, access, begunWith }));
    const allMs = givenMs ?? flow.statementsMs ?? QUERY_DEFAULTS.timeoutMs;
    const { maxRows, knowledge } = ofQuestions;
    // The flow decides on its usual piece of the result, and the chosen statement then goes on.
    const checkedRows = Math.min(maxRows ?? QUERY_DEFAULTS.maxRows, QUERY_DEFAULTS.maxRows);
    const isStreamed = isRowFormat(flags.format) && access === 'read';
    const streamed = { maxRows: checkedRows, streamedRows: maxRows, signal: context.signal };
    const limited = limitQueryTime(isStreamed ? keepCutReads(adapter, streamed) : adapter, allMs);
    const shown = knowledge === undefined ? undefined : createKnowledgeList();
    const setup = {
      adapter: limited.adapter,
      model: choice.model,
      flow: flow.flow,
      access,
      timeoutMs,
      ...database.setup,
      // Nothing runs: the request is shown that would be sent if knowledge did not answer.
      ...(unsent === undefined
        ? { onEvent: loaded.config.tracing?.onEvent }
        : { knowledgeFirst: false, onEvent: shown?.sink }),
      ...ofQuestions,
      ...budget,
      ...(isStreamed ? { maxRows: checkedRows } : {}),
    };
    const asking = unsent === undefined ? context : { ...context, signal: unsent.signal };
    const keeper =
      unsent === undefined
        ? await createRunKeeper({ database: address, question, flags }, context, answered)
        : undefined;
    // A journal copies rows: not where more are held than a flow looks at.
    const isSmall = answered !== undefined || (setup.maxRows ?? 0) <= QUERY_DEFAULTS.maxRows;
    const asked = { ...given, answered };
    const kept = { ...setup, journal: isSmall ? keeper?.journal : undefined };
    return await askOnce(question, asked, kept, flags, asking, async (ended, text2sql) => {
      if (unsent?.first !== undefined) return showUnsent(unsent.first, shown, context);
      const outcome = limited.explain(ended);
      // The command that answers has to be known before it is printed; nothing else waits for the disk.
      const isOpen = outcome.type === 'needsClarification';
      const answerWith = isOpen ? await keeper?.keep(outcome) : undefined;
      const code = await printOutcome(outcome, {
        answerWith,
        format: flags.format,
        origin: { database: adapter.name, flow: flow.label, model: choice.label },
        isFallback: choice.isFallback,
        showCandidates: flags.trace === true,
        openRows: isStreamed
          ? (answer) => text2sql.stream(answer, { maxRows, timeoutMs: allMs, signal: context.signal })
          : undefined,
        ...context,
      });
      if (flags.chart !== undefined && outcome.type === 'answered') {
        const catalog = (): Promise<Catalog> => text2sql.catalog({ signal: context.signal });
        const { sql, result } = outcome;
        await printChart({ sql, result, question, dialect: adapter.dialect, catalog }, flags.chart, context);
      }
      if (!isOpen) await keeper?.keep(outcome);
      const isTeachable = outcome.type === 'answered' && access === 'read' && knowledge !== undefined;
      if (isTeachable && keeper !== undefined && err.isTerminal)
        await err.write(
          `${err.dim('Right? Keep it: askema remember. Wrong? askema remember --correct "what is right"')}\n`,
        );
      return code;
    });
  } finally {
    await database.close();
  }
}

/** The flow that began a run. */
function beginningOf(answered: AnsweredRun | undefined): string | undefined {
  const header = answered?.journal[0];
  return header?.kind === 'run' ? header.flow : undefined;
}

async function splitWords(
  words: readonly string[],
  loaded: LoadedConfig,
  context: CommandContext,
): Promise<{ address: string; question: string }> {
  const preset = loaded.config.defaults?.database;
  const isQuestionOnly = words.length === 1 && preset !== undefined;
  const [address, ...rest] = isQuestionOnly ? [preset, ...words] : words;
  if (address === undefined || rest.length === 0) {
    throw new AskemaError(
      'INPUT_INVALID',
      `${address === undefined ? 'DATABASE and QUESTION are' : 'QUESTION is'} missing: askema ask DATABASE "QUESTION". \`askema ask --help\` shows examples.`,
    );
  }
  return { address, question: await readQuestion(rest.join(' '), context.host.stdin) };
}

function readBudget({ maxCalls }: AskFlags): Pick<Text2SqlOptions, 'budget'> {
  return maxCalls === undefined ? {} : { budget: createBudget({ maxCalls: parseCount(maxCalls, '--max-calls') }) };
}

function checkWriting(flags: AskFlags, context: CommandContext): Access {
  if (flags.write !== true) {
    if (flags.yes === true) throw new AskemaError('INPUT_INVALID', '--yes approves what --write does; give both.');
    return 'read';
  }
  if (flags.yes === true || canConfirm(context.host)) return 'write';
  throw new AskemaError(
    'INPUT_INVALID',
    '--write asks for approval on a terminal, and there is none. Add --yes to let every statement run unasked.',
  );
}

function approveWith(
  confirmer: Confirmer,
  context: CommandContext,
  line: ProgressLine,
): (sql: string) => Promise<boolean> {
  const { err } = context;
  let asked = 0;
  return async (sql) => {
    line.pause();
    asked += 1;
    const before = asked === 1 ? '' : 'The statement before this one failed and changed nothing. ';
    await err.write(`${before}${err.bold('This statement changes the database:')}\n${err.cyan(printableLines(sql))}\n`);
    return confirmer.ask('Run it?', context.signal);
  };
}

/**
 * Asks and prints. Whatever happens, the progress line is gone, the trace is on disk and no child process is left.
 */
async function askOnce(
  question: string,
  { answered, ...given }: GivenWithQuestions & { readonly answered: AnsweredRun | undefined },
  setup: Text2SqlOptions,
  flags: AskFlags,
  context: CommandContext,
  print: (outcome: Outcome, text2sql: Text2Sql) => Promise<number>,
): Promise<number> {
  const { err, signal } = context;
  const line = startProgressLine(err);
  const traceFile = typeof flags.trace === 'string' ? openTraceFile(flags.trace, context.host.cwd) : undefined;
  const traceTree = flags.trace === true ? createTraceTree() : undefined;
  const confirmer = createConfirmer(context.host);
  const isAsked = setup.access === 'write' && flags.yes !== true;
  const text2sql = createText2Sql({
    ...setup,
    ...(isAsked ? { approve: approveWith(confirmer, context, line) } : {}),
    onEvent: fanOut([createRunProgress(line), traceFile?.sink, traceTree?.sink, setup.onEvent]),
  });
  try {
    const first =
      answered === undefined
        ? await text2sql.ask(question, { ...given, signal })
        : await text2sql.resume(answered.runId, { answer: answered.answer, signal });
    const outcome = await askBack(first, text2sql, { confirmer, line, context });
    await line.stop();
    return await print(outcome, text2sql);
  } finally {
    await line.stop();
    confirmer.close();
    await text2sql.close();
    traceFile?.close();
    if (traceTree !== undefined) await err.write(traceTree.render());
  }
}
