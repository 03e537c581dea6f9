import type { Knowledge } from '../model/knowledge.ts';
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
