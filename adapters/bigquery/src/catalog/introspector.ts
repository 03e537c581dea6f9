import type { Introspector } from '@askema/core';
import type { BigQueryClient } from '../client/client.ts';

/**
 * Where metadata comes from. `information-schema`: a few statements a dataset, each of which bills at least 10 MB a view. `rest`: one
 * request a table, free of charge. `auto`: the first, and for a dataset where one of its statements fails the second.
 */
export type MetadataSource = 'auto' | 'information-schema' | 'rest';

export interface BigQueryIntrospectorOptions {
  readonly client: BigQueryClient;
  /** Of the catalog; shown, never a secret. */
  readonly name: string;
  /** Without a project: in the one that pays. None at all: every dataset of the project that pays. */
  readonly datasets: readonly { readonly project?: string | undefined; readonly dataset: string }[];
  /** Default: `auto`. */
  readonly metadata?: MetadataSource | undefined;
  /** The whole introspection. */
  readonly timeoutMs: number;
}

/** Reads datasets as one catalog: projects are databases, datasets are schemas. */
export declare function createIntrospector(options: BigQueryIntrospectorOptions): Introspector;
