import type { Knowledge, KnowledgeProblem } from '../model/knowledge.ts';
import type { Place } from '../model/standing.ts';

/** A file as text: `path` is relative to the folder that it was found in, with `/`. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Something that a format says and the other cannot. Nothing is left out without one. */
export interface Loss {
  /** The entry and the part of it: `metric churn: conversion`. */
  readonly what: string;
  readonly place: Place;
  /** Why, and what to do instead where there is something. */
  readonly reason: string;
}

/** What an importer makes of files of another tool: everything `proposed`. */
export interface Imported {
  readonly knowledge: Pick<Knowledge, 'models' | 'settings' | 'texts' | 'verifiedQueries'>;
  readonly lost: readonly Loss[];
}

/** What an exporter writes for another tool. */
export interface Exported {
  readonly files: readonly TextFile[];
  readonly lost: readonly Loss[];
}

export interface ReadFormatOptions {
  /** In which the tables are, where the files do not say it (dbt). */
  readonly database?: string | undefined;
  readonly schema?: string | undefined;
  /** The one that is read of a file with several models (Ossie). */
  readonly model?: string | undefined;
}

/** A format of another tool, as a value: what recognises, reads and writes it. */
export interface KnowledgeFormat {
  /** `dbt`. */
  readonly name: string;
  /** Whether a file of this name, with these keys at its root, is one of it. */
  readonly wrote?: ((name: string, keys: ReadonlySet<string>) => boolean) | undefined;
  /** Left out where it is not read. `problems`: deviations that did not keep a file from being read. */
  readonly read?:
    | ((
        files: readonly TextFile[],
        options: ReadFormatOptions,
      ) => Imported & { readonly problems?: readonly KnowledgeProblem[] | undefined })
    | undefined;
  /** Left out where it is not written. */
  readonly write?: ((knowledge: Knowledge) => Exported) | undefined;
}
