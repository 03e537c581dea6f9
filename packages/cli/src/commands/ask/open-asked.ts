import { basename } from 'node:path';
import type { Access, Adapter, ValueIndex } from '@askema/core';
import type { AskOptions, Text2SqlOptions } from '@askema/text2sql/ask';
import type { LoadedConfig } from '../../config/load-config.ts';
import { keepCatalogs } from '../../database/keep-catalogs.ts';
import { openMeaningFor } from '../../database/open-meaning.ts';
import { openValues } from '../../database/open-values.ts';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { parseCount } from '../../flags/parse-count.ts';
import { readAskBack } from '../../flags/read-ask-back.ts';
import { readEvidence, readTextFile } from '../../flags/read-input.ts';
import { readSchemaFlags, type SchemaFlags } from '../../flags/read-schema-flags.ts';
import type { FlowFlags } from '../../flow/flow-list.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { openKnowledge } from './open-knowledge.ts';
import { readCatalogEarly } from './read-catalog-early.ts';

/** Flags of the commands that answer questions. */
export interface AskingFlags extends CommonFlags, FlowFlags, SchemaFlags {
  readonly model?: string | undefined;
  readonly flow?: string | undefined;
  readonly maxRows?: string | undefined;
  readonly askBack?: string | undefined;
  readonly alignValues?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly evidence?: string | undefined;
  readonly document?: readonly string[] | undefined;
  /** A folder; false for `--no-knowledge`. */
  readonly knowledge?: string | false | undefined;
  /** False for `--no-samples`. */
  readonly samples: boolean;
  /** False for `--no-history`. */
  readonly history?: boolean | undefined;
}

/** What goes along with each question. */
export type GivenWithQuestions = Pick<AskOptions, 'evidence' | 'documents'>;

/** What the flags say of questions, whatever the database is. */
export interface QuestionSetup {
  readonly given: GivenWithQuestions;
  readonly setup: Pick<
    Text2SqlOptions,
    'knowledge' | 'maxRows' | 'maxSchemaTokens' | 'compression' | 'askBack' | 'alignValues' | 'sampleValues'
  >;
}

/** @throws AskemaError `INPUT_INVALID` for a file or folder that cannot be read, and for a value that is none. */
export async function readQuestionSetup(
  flags: AskingFlags,
  loaded: LoadedConfig,
  context: CommandContext,
): Promise<QuestionSetup> {
  const { cwd } = context.host;
  const evidence = await readEvidence(flags.evidence, cwd);
  const documents = await readDocuments(flags.document ?? [], cwd);
  const knowledge = await openKnowledge(flags.knowledge, loaded, context);
  return {
    given: { evidence, documents },
    setup: {
      ...(knowledge === undefined ? {} : { knowledge }),
      ...(flags.maxRows === undefined ? {} : { maxRows: parseCount(flags.maxRows, '--max-rows') }),
      ...readSchemaFlags(flags, loaded),
      ...readAskBack(flags.askBack),
      ...(flags.alignValues === true ? { alignValues: true } : {}),
      ...(flags.samples ? {} : { sampleValues: 0 }),
    },
  };
}

interface AskedSearch {
  readonly address: string;
  readonly access: Access;
  readonly loaded: LoadedConfig;
  readonly flags: CommonFlags & {
    readonly refresh?: boolean | undefined;
    readonly valueIndex?: string | undefined;
    readonly dryRun?: boolean | undefined;
  };
  /** That of `--timeout`. */
  readonly timeoutMs: number | undefined;
}

/** A database that questions are asked about. */
export interface AskedDatabase {
  readonly adapter: Adapter;
  readonly setup: Pick<Text2SqlOptions, 'catalogCache' | 'valueIndex' | 'linkValues'>;
  close(): Promise<void>;
}

/** Opens a database for questions, and begins to read its catalog. Rejects as `resolveDatabase` and `openValues`. */
export async function openAsked(
  { address, access, loaded, flags, timeoutMs }: AskedSearch,
  context: CommandContext,
): Promise<AskedDatabase> {
  const { host, signal } = context;
  const opened = await resolveDatabase({ address, access, loaded, flags }, context);
  const cache = keepCatalogs(opened, loaded, host.env);
  const adapter = readCatalogEarly(opened, { signal, cache, refresh: flags.refresh });
  let values: ValueIndex | undefined;
  const close = async (): Promise<void> => {
    await values?.close();
    await adapter.close();
  };
  try {
    if (flags.valueIndex !== undefined) {
      const meaning = flags.dryRun === true ? undefined : openMeaningFor(loaded, context);
      values = await openValues(flags.valueIndex, adapter, { cwd: host.cwd, signal, timeoutMs, meaning });
    }
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    adapter,
    setup: { catalogCache: cache, ...(values === undefined ? {} : { valueIndex: values, linkValues: true }) },
    close,
  };
}

/** Said where no model was found. */
export const FALLBACK_NOTE =
  'No language model was found, so the built-in one answers: it reads simple questions only. `askema models` says how to get one.';

/** A document as `createText2Sql` takes it. */
interface NamedDocument {
  readonly name: string;
  readonly text: string;
}

/**
 * The files of `--document`, each named after its file.
 *
 * @throws AskemaError `INPUT_INVALID` for a file that is not there, is too big, or holds no text.
 */
async function readDocuments(files: readonly string[], cwd: string): Promise<readonly NamedDocument[]> {
  const documents: NamedDocument[] = [];
  for (const file of files)
    documents.push({ name: basename(file), text: await readTextFile(file, cwd, `--document ${file}`) });
  return documents;
}
