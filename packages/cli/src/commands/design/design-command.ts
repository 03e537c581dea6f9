import { type Command, Option } from 'commander';
import { REPORT_FORMATS } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { DesignFlags } from './design.ts';

/** Registers `askema design`. What it needs is loaded when it runs. */
export function addDesign(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('design')
    .summary('design a schema from a requirement')
    .description(
      'Turns a requirement text into a relational schema in third normal form. The DDL goes to stdout; DDL of each dialect, diagrams, ORM schemas, tests and a report go into a folder.',
    )
    .argument('[requirement]', 'a text or Markdown file; `-` reads it from stdin')
    .option('-o, --out <dir>', 'folder of the results (default: REQUIREMENT.design in the working folder)')
    .option(
      '-d, --dialect <name>',
      'of the DDL: sqlite, postgres, mysql, snowflake, bigquery, duckdb; may be repeated (default: sqlite, postgres)',
      (value: string, previous: readonly string[] = []) => [...previous, ...value.split(',')],
    )
    .option(
      '-s, --strategy <name>',
      'schema-agent, one-shot, chain-of-thought, few-shot, guided or single-agent',
      'schema-agent',
    )
    .option('--preset <name>', 'of schema-agent: tested, or paper for the roles in its order (default: tested)')
    .option('-m, --model <name>', 'provider:model, or a name of askema.config.ts; `askema models` lists them')
    .option(
      '--without <part>',
      'leaves out product-manager, reviewer, tests, error-routes or mutation-check; may be repeated',
      (value: string, previous: readonly string[] = []) => [...previous, ...value.split(',')],
    )
    .option(
      '--from <phase>',
      'does report, logical, requirement-tests or tests again (of paper: report, conceptual, logical or tests), and all behind it; edit the files of phases/ first',
    )
    .option('--ask', 'asks on the terminal what the requirement leaves open; without it, assumptions hold')
    .option('--administrator <name>', 'a model that chooses who speaks next where no role was named')
    .option('--max-rounds <count>', 'turns of the chat (default: 15)')
    .option('--max-calls <count>', 'model calls of the design (default: no limit)')
    .option('--explicit-constraints', 'with --preset paper: takes over NOT NULL and UNIQUE that the text states')
    .option('--verbose', 'writes who said something to whom')
    .option('--force', 'begins anew in a folder that holds another design')
    .addOption(new Option('-f, --format <format>', 'of stdout').choices(REPORT_FORMATS).default('text'))
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', DESIGN_HELP)
    .action(async (requirement: string | undefined, flags: DesignFlags) => {
      const { runDesign } = await import('./design.ts');
      onExitCode(await runDesign(requirement, flags, context));
    });
}

const DESIGN_HELP = `
Examples:
  askema design library.md
  askema design library.md --out ./library --dialect postgres,mysql --verbose
  askema design library.md --strategy one-shot --model ollama:qwen3 > schema.sql
  askema design library.md --preset paper --out ./paper
  askema design library.md --from tests        # after an edit of library.design/phases/4-requirement-tests.json

A designer drafts the schema; a QA engineer who does not see it writes tests from the requirement alone; they run in a
temporary SQLite database; a reviewer adds counter-examples; the designer mends what failed. --preset paper is the six
roles of SchemaAgent in their order. Ctrl-C stops it; finished phases are on disk, and the same command goes on where it stopped.
`;
