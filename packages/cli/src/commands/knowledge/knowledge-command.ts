import { type Command, Option } from 'commander';
import { ALLOW_FUNCTION, DATABASE, HIDE, MASK, STATEMENT_TIMEOUT } from '../../flags/options.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { AcceptFlags } from './accept-knowledge.ts';
import type { CheckKnowledgeFlags } from './check-folder.ts';
import type { DiffFlags } from './diff-knowledge.ts';
import type { ExportFlags } from './export-knowledge.ts';
import type { ImportFlags } from './import-knowledge.ts';
import type { InitFlags } from './init-knowledge.ts';
import type { ListFlags } from './list-knowledge.ts';
import type { MineFlags } from './mine-log.ts';

/** Registers `askema knowledge`. What a command needs is loaded when it runs. */
export function addKnowledge(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  const knowledge = program
    .command('knowledge')
    .summary('what the business means: draft, mine, check, import, export')
    .description(
      'Keeps a folder of what words and numbers mean: datasets, metrics, verified queries, rules. It is drafted from a database or imported, checked by running, and accepted by people.',
    )
    .addHelpText('after', KNOWLEDGE_HELP);
  addInit(knowledge, context, onExitCode);
  addCheckFolder(knowledge, context, onExitCode);
  addImport(knowledge, context, onExitCode);
  addMine(knowledge, context, onExitCode);
  common(knowledge.command('export'))
    .summary('write it for another tool')
    .description('Writes what is accepted as files of another tool, and lists on stderr what that tool cannot say.')
    .argument('<to>', 'a folder for the files')
    .requiredOption('-f, --format <format>', 'of the files: dbt, ossie, ossie-0.1.1 or snowflake')
    .option('--proposals', 'with what is only proposed')
    .option('--force', 'replace files that are there')
    .action(async (to: string, flags: ExportFlags) => {
      const { exportKnowledge } = await import('./export-knowledge.ts');
      onExitCode(await exportKnowledge(to, flags, context));
    });
  common(knowledge.command('list'))
    .summary('entries with their state')
    .description('Lists the entries: state, id, who or what said it, where it stands.')
    .addOption(new Option('--state <state>', 'only these').choices(['accepted', 'proposed', 'failed']))
    .option('--fields', 'with the fields of datasets')
    .option('--json', 'print them as JSON')
    .action(async (flags: ListFlags) => {
      const { listKnowledge } = await import('./list-knowledge.ts');
      onExitCode(await listKnowledge(flags, context));
    });
  common(knowledge.command('accept'))
    .summary('move proposals into use')
    .description('Moves what is proposed to what is used. What failed its check stays where it is.')
    .argument('[id...]', 'of the list: metric:revenue')
    .option('--all', 'everything that is proposed to everybody; with --of, all of that person')
    .option('--of <person>', 'whose proposals, where single persons propose (empty: those that everybody sees)')
    .option('--by <name>', 'who stands by it (default: the user of this computer)')
    .option('-y, --yes', 'do not ask')
    .action(async (ids: readonly string[], flags: AcceptFlags) => {
      const { acceptKnowledge } = await import('./accept-knowledge.ts');
      onExitCode(await acceptKnowledge(ids, flags, context));
    });
  addDiff(knowledge, context, onExitCode);
}

function addDiff(knowledge: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  onDatabase(common(knowledge.command('diff')))
    .summary('what differs, and what it changes')
    .description(
      'Says how proposals differ from what is accepted, or how another folder differs from this one. With --run, what the verified questions answer before and after.',
    )
    .argument('[other]', 'a folder (default: the proposals of this one)')
    .option('--of <person>', 'only what this person proposes (empty: what everybody sees)')
    .option('--run <database>', 'answer the verified questions there, as they are and with the proposals accepted')
    .option('--max-statements <count>', 'with --run: statements that are run at most (default: 1,000)')
    .option('--timeout <time>', 'with --run: of each statement: 500ms, 2s, 1m (default: 30s)')
    .option('--json', 'print it as JSON')
    .action(async (other: string | undefined, flags: DiffFlags) => {
      const { withWorker } = await import('../../database/with-worker.ts');
      const code = await withWorker(flags.run, context, async (started) => {
        const { diffKnowledge } = await import('./diff-knowledge.ts');
        return diffKnowledge(other, flags, started);
      });
      onExitCode(code);
    });
}

function addInit(knowledge: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  onDatabase(common(knowledge.command('init')))
    .summary('draft it from a database')
    .description(
      'Proposes datasets, fields, keys, relationships and values from the schema, comments and cells of a database.',
    )
    .argument('[database]', DATABASE)
    .option(
      '-m, --model <name>',
      'proposes descriptions, labels and synonyms as well; it is sent names, comments and a few values',
    )
    .action(async (database: string | undefined, flags: InitFlags) => {
      const { initKnowledge } = await import('./init-knowledge.ts');
      onExitCode(await initKnowledge(database, flags, context));
    });
}

function addCheckFolder(knowledge: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  onDatabase(common(knowledge.command('check')))
    .summary('hold it against a database')
    .description(
      'Runs what the knowledge says, reading only, and keeps in checks.json what holds. Exit code 1: something accepted does not.',
    )
    .argument('[database]', DATABASE)
    .option('--json', 'print the findings as JSON')
    .option('--junit <file>', 'write them as JUnit XML as well, for a CI')
    .option('--max-statements <count>', 'statements that are run at most (default: 1,000)')
    .option(...STATEMENT_TIMEOUT)
    .action(async (database: string | undefined, flags: CheckKnowledgeFlags) => {
      const { withWorker } = await import('../../database/with-worker.ts');
      const code = await withWorker(database, context, async (started) => {
        const { checkFolder } = await import('./check-folder.ts');
        return checkFolder(database, flags, started);
      });
      onExitCode(code);
    });
}

function addImport(knowledge: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  common(knowledge.command('import'))
    .summary('propose what another tool says')
    .description('Reads files of another tool, writes what they say as proposals, and lists on stderr what was lost.')
    .argument('<from...>', 'files, or a folder that is read with its folders')
    .option('-f, --format <format>', 'of the files: dbt, ossie, snowflake or wren (default: told from them)')
    .option('--database <name>', 'in which the tables of dbt are')
    .option('--schema <name>', 'in which the tables of dbt are')
    .option('--only <model>', 'of an Ossie file with several models')
    .option('--json', 'print files and losses as JSON')
    .action(async (from: readonly string[], flags: ImportFlags) => {
      const { importKnowledge } = await import('./import-knowledge.ts');
      onExitCode(await importKnowledge(from, flags, context));
    });
}

function addMine(knowledge: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  onDatabase(common(knowledge.command('mine')))
    .summary('propose what people really run')
    .description(
      'Reads a log of SQL, runs nothing of it, and proposes the joins, metrics, filters and names that several people use.',
    )
    .argument('[log]', 'a .sql, .csv or .jsonl file, or a folder of them')
    .argument('[database]', DATABASE)
    .option('--server', 'take the statements that a PostgreSQL DATABASE counts in pg_stat_statements; there is no LOG')
    .option('--own-role', 'with --server: also those of the role that connects')
    .option('--min-count <count>', 'runs that are enough (default: 5, and one in 2,000)')
    .option('--min-users <count>', 'users that are enough (default: 2)')
    .option('--since <day>', 'only statements from then on')
    .option('--tool <name...>', 'applications or users that are tools, and do not count')
    .option('--tools', 'what tools run counts as well')
    .option('--values', 'propose values of conditions whoever used them; they may be personal')
    .option('--json', 'print the proposals as JSON')
    .action(async (log: string | undefined, database: string | undefined, flags: MineFlags) => {
      const { mineLog } = await import('./mine-log.ts');
      const named = [log, database].filter((one) => one !== undefined);
      onExitCode(await mineLog(named, flags, context));
    });
}

function common(command: Command): Command {
  return command
    .option('--folder <folder>', 'of the knowledge (default: that of askema.config.ts, else `knowledge`)')
    .option('--config <file>', 'instead of the nearest askema.config.ts');
}

function onDatabase(command: Command): Command {
  return command
    .option(...ALLOW_FUNCTION)
    .option(...HIDE)
    .option(...MASK);
}

const KNOWLEDGE_HELP = `
Examples:
  askema knowledge init shop.sqlite
  askema knowledge import dbt/models
  askema knowledge mine queries.sql shop.sqlite
  askema knowledge mine --server postgres://localhost/shop
  askema knowledge check shop.sqlite
  askema knowledge check shop.sqlite --junit report.xml
  askema knowledge list --state proposed
  askema knowledge diff
  askema knowledge diff --run shop.sqlite --of ann
  askema knowledge accept metric:revenue dataset:orders
  askema knowledge accept --all --yes
  askema knowledge export out --format ossie-0.1.1

What is drafted or imported stands below proposals/ and is used for nothing before somebody accepts it.
Exit codes: 0 fine, 1 something accepted does not hold, 2 wrong usage.
`;
