import type { Command } from 'commander';
import type { CommandContext } from '../../process/command-context.ts';
import type { NormalizeFlags } from './normalize.ts';

/** Registers `askema normalize`. What it needs is loaded when it runs. */
export function addNormalize(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('normalize')
    .summary('keys, normal form and decomposition of relations')
    .description(
      'Decomposes relations into third normal form by their functional dependencies, and proves the outcome.',
    )
    .argument('[file]', 'relations in YAML or JSON; `-`, or nothing, reads them from stdin')
    .option('--json', 'print JSON, with the certificate in full')
    .option('--max-keys <count>', 'candidate keys searched for each relation (default: 100)')
    .addHelpText('after', NORMALIZE_HELP)
    .action(async (file: string | undefined, flags: NormalizeFlags) => {
      const { runNormalize } = await import('./normalize.ts');
      onExitCode(await runNormalize(file, flags, context));
    });
}

const NORMALIZE_HELP = `
Examples:
  askema normalize relations.yaml
  askema normalize relations.yaml --json > normalized.json
  echo '{ name: Student, dependencies: ["ID -> Name, Dept", "Dept -> Dorm"] }' | askema normalize -

relations.yaml:
  relations:
    - name: Enrolment
      attributes: [Student ID, Course ID, Grade, Student Name]   # may be left out when the dependencies name them all
      dependencies:
        - Student ID, Course ID -> Grade
        - Student ID -> Student Name
      key: [Student ID, Course ID]                               # optional: preferred where there are several keys

Names may hold anything; one with a comma that is not among the attributes stands in double quotes: '"City, State" -> Zip'.
`;
