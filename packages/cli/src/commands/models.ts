import { loadConfig } from '../config/load-config.ts';
import { formatModels } from '../format/format-models.ts';
import type { ReportFormat } from '../format/output-formats.ts';
import { reportModels } from '../model/models-report.ts';
import { EXIT } from '../process/exit-code.ts';
import type { CommandContext, CommonFlags } from './command-context.ts';

export interface ModelsFlags extends CommonFlags {
  readonly format: ReportFormat;
}

/** `askema models`; returns the exit code. */
export async function runModels(flags: ModelsFlags, context: CommandContext): Promise<number> {
  const { host, out, signal } = context;
  const loaded = await loadConfig(host.cwd, flags.config);
  const report = await reportModels(host.env, loaded, { signal });
  await out.write(flags.format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : formatModels(report, out));
  return EXIT.ok;
}
