import { stripVTControlCharacters } from 'node:util';
import { loadConfig } from '../../config/load-config.ts';
import type { ReportFormat } from '../../format/output-formats.ts';
import { type ModelName, type ModelsReport, reportModels } from '../../model/models-report.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import type { Output } from '../../process/output.ts';
import { printable } from '../../terminal/printable.ts';

export interface ModelsFlags extends CommonFlags {
  readonly format: ReportFormat;
}

/** `askema models`; returns the exit code. */
export async function runModels(flags: ModelsFlags, context: CommandContext): Promise<number> {
  const { host, out, signal } = context;
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const report = await reportModels(host.env, loaded, { signal });
  await out.write(flags.format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : formatModels(report, out));
  return EXIT.ok;
}

const HOW_TO_GET_ONE = `To get a model:
  export OPENAI_API_KEY=…         a key of OpenAI, or of a server that speaks its protocol (with OPENAI_BASE_URL)
  export ANTHROPIC_API_KEY=…      a key of Anthropic
  ollama serve; ollama pull qwen3 a model on this machine, without a key
`;

/** What `askema models` prints for people. */
function formatModels(report: ModelsReport, out: Output): string {
  const { chosen } = report;
  const head =
    'error' in chosen
      ? `${out.red('No model answers now:')} ${printable(chosen.error)}`
      : `Answers now: ${out.bold(printable(chosen.model))} (${printable(chosen.origin)})`;
  const places = report.places.map(({ place, isSet, state }, index) => [
    `${index + 1}.`,
    isSet ? out.bold(place) : place,
    printable(state),
  ]);
  const names = report.names.map((each) => [
    each.isUsable ? out.bold(printable(each.name)) : printable(each.name),
    nameDetails(each),
  ]);
  const locals = report.names.find((each) => each.name === 'ollama')?.models ?? [];
  return [
    `${head}\n`,
    `\nA model is looked for in this order:\n${alignColumns(places)}`,
    `\nNames for --model:\n${alignColumns(names)}`,
    locals.length > 0
      ? `\nModels of the local Ollama:\n${locals.map((name) => `  ollama:${printable(name)}\n`).join('')}`
      : '',
    `\n${HOW_TO_GET_ONE}`,
  ].join('');
}

function nameDetails({ title, state, defaultModel }: ModelName): string {
  const preset = defaultModel === undefined ? '' : `; default ${defaultModel}`;
  return printable(`${title} (${state}${preset})`);
}

function alignColumns(lines: readonly (readonly string[])[]): string {
  const plainLength = (text: string): number => stripVTControlCharacters(text).length;
  const widths = (lines[0] ?? []).map((_, index) => Math.max(...lines.map((line) => plainLength(line[index] ?? ''))));
  const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - plainLength(text)));
  return lines
    .map(
      (line) =>
        `  ${line
          .map((text, index) => pad(text, widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
