import { basename, resolve } from 'node:path';
import { type Adapter, AskemaError, type Catalog, createCallContext, indexSchema } from '@askema/core';
import type { BuildProgress, ValueIndexStats } from '@askema/value-index';
import { loadConfig } from '../../config/load-config.ts';
import { VALUES_ENDING } from '../../database/open-values.ts';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { parseCount } from '../../flags/parse-count.ts';
import { resolveEmbeddings } from '../../model/resolve-embeddings.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { formatDuration } from '../../terminal/duration.ts';
import { printable } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';

export interface IndexFlags extends CommonFlags {
  readonly out?: string | undefined;
  /** Globs over `relation.column`. */
  readonly exclude?: readonly string[] | undefined;
  readonly excludePersonal?: boolean | undefined;
  readonly maxValues?: string | undefined;
  /** A name of `embeddings` in the configuration, or `provider:model`. */
  readonly embeddings?: string | undefined;
  readonly refresh?: boolean | undefined;
}

/** Columns of which nothing, or only a part, is in the index: so many are named. */
const MAX_LISTED = 10;

/** `askema index DATABASE`; returns the exit code. */
export async function runIndex(named: string | undefined, flags: IndexFlags, context: CommandContext): Promise<number> {
  const { host, out, err, signal } = context;
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const address = named ?? loaded.config.defaults?.database;
  if (address === undefined) throw new AskemaError('INPUT_INVALID', 'DATABASE is missing: askema index DATABASE.');
  const maxValues = flags.maxValues === undefined ? undefined : parseCount(flags.maxValues, '--max-values');
  const embeddings =
    flags.embeddings === undefined ? undefined : await resolveEmbeddings(flags.embeddings, { loaded, env: host.env });
  const { buildValueIndex } = await import('@askema/value-index');
  const adapter = await resolveDatabase({ address, access: 'read', loaded, flags }, context);
  const line = startProgressLine(err);
  try {
    line.show(`reading the schema of ${adapter.name}`);
    const catalog = await adapter.introspect({ context: createCallContext({ signal }) });
    const path = resolve(host.cwd, flags.out ?? defaultName(adapter));
    const nameOf = attributeNames(catalog);
    const stats = await buildValueIndex({
      adapter,
      catalog,
      path,
      embeddings,
      refresh: flags.refresh === true,
      exclude: flags.exclude,
      excludePersonal: flags.excludePersonal === true,
      ...(maxValues === undefined ? {} : { maxValuesPerAttribute: maxValues }),
      onProgress: (progress) => line.show(describeProgress(progress, nameOf)),
      signal,
    });
    await line.stop();
    await out.write(`${printable(path)}\n`);
    await err.write(describeStats(stats, nameOf));
    return EXIT.ok;
  } finally {
    await line.stop();
    await adapter.close();
  }
}

/** In the working folder, named after the database: `shop.sqlite` gives `shop.sqlite.values.sqlite`. */
function defaultName({ name }: Adapter): string {
  // A configured adapter may be called anything; what is no part of a file name becomes a dash.
  return `${basename(name).replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') || 'database'}${VALUES_ENDING}`;
}

type AttributeNames = (id: string) => string;

function attributeNames(catalog: Catalog): AttributeNames {
  const index = indexSchema(catalog);
  return (id) => {
    const attribute = index.attribute(id);
    const relation = attribute === undefined ? undefined : index.relation(attribute.relation);
    return printable(attribute === undefined ? id : `${relation?.name ?? ''}.${attribute.name}`);
  };
}

function describeProgress(progress: BuildProgress, nameOf: AttributeNames): string {
  const { attribute, done, total, values, etaMs, embedded } = progress;
  if (embedded !== undefined)
    return `${embedded.done.toLocaleString('en')}/${embedded.total.toLocaleString('en')} values embedded · ${nameOf(attribute)}`;
  const left = etaMs === undefined ? '' : ` · ${formatDuration(etaMs)} to go`;
  return `${done}/${total} columns · ${values.toLocaleString('en')} values · ${nameOf(attribute)}${left}`;
}

function describeStats(stats: ValueIndexStats, nameOf: AttributeNames): string {
  const { attributes, values, bytesOnDisk, build, embeddings } = stats;
  const lines = [
    `${values.toLocaleString('en')} values of ${attributes.length} columns, ${(bytesOnDisk / 1_000_000).toFixed(1)} MB`,
  ];
  if (build !== undefined)
    lines.push(`${build.read} columns read, ${build.unchanged} unchanged, in ${formatDuration(build.elapsedMs)}`);
  if (embeddings !== undefined && build?.embedded !== undefined) {
    const tokens = build.usage?.inputTokens;
    lines.push(
      `${build.embedded.toLocaleString('en')} values embedded now, ${tokens === undefined ? 'tokens not reported' : `${tokens.toLocaleString('en')} tokens`}; ${embeddings.vectors.toLocaleString('en')} in all by ${printable(embeddings.model)}, ${embeddings.dimensions} dimensions`,
    );
  }
  const gaps = attributes.filter(({ coverage }) => coverage !== 'whole');
  for (const { attribute, state, reason } of gaps.slice(0, MAX_LISTED))
    lines.push(`not whole: ${nameOf(attribute)} (${state}${reason === undefined ? '' : `: ${printable(reason)}`})`);
  if (gaps.length > MAX_LISTED) lines.push(`and ${gaps.length - MAX_LISTED} more that are not whole`);
  return lines.map((each) => `${each}\n`).join('');
}
