import type { LoadedConfig } from '../config/load-config.ts';
import type { TracingConfig } from '../config/tracing-config.ts';
import type { CommandContext } from './command-context.ts';

/** The `tracing` of the configuration, which sends what is left when the command has ended. */
export function traceCommand(
  { config: { tracing } }: LoadedConfig,
  { atEnd }: Pick<CommandContext, 'atEnd'>,
): TracingConfig | undefined {
  if (tracing?.close !== undefined) atEnd(tracing, async () => tracing.close?.());
  return tracing;
}
