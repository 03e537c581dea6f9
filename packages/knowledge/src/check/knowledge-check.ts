import type { Adapter, Catalog } from '@askema/core';
import type { SqlParser } from '@askema/sql';
import type { Knowledge, KnowledgeProblem } from '../model/knowledge.ts';
import type { KnowledgeState, Place } from '../model/standing.ts';

/** What is held against which database, and how much of it may be asked. */
export interface CheckKnowledgeOptions {
  readonly knowledge: Knowledge;
  /** Read from within its caps; nothing is written. */
  readonly adapter: Adapter;
  /** Read from the database when left out. */
  readonly catalog?: Catalog | undefined;
  /** With it, columns that a verified query names are looked up before it runs. */
  readonly parser?: SqlParser | undefined;
  /** Statements that are run at most; what is left over stands in `skipped`. Default: 1,000. */
  readonly maxStatements?: number | undefined;
  /** For each statement, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds since 1970, for `checkedAt`. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  /** Who checks, for `checkedBy`. */
  readonly by?: string | undefined;
}

/** What holds in a database, and what does not. */
export interface KnowledgeCheck {
  /** Of the catalog that the knowledge was held against. */
  readonly fingerprint: string;
  /** Those of loading first. */
  readonly findings: readonly KnowledgeProblem[];
  readonly entries: readonly CheckedEntry[];
  /** How many were run. */
  readonly statements: number;
  /** What was not looked at, each with its reason. */
  readonly skipped: readonly SkippedCheck[];
  /** The same knowledge with the states that this check found. */
  readonly knowledge: Knowledge;
}

/** An entry as the check found it. */
export interface CheckedEntry {
  readonly id: string;
  readonly state: KnowledgeState;
  /** Nobody has accepted it: that it failed breaks nothing. */
  readonly isProposal: boolean;
  /** SHA-256 of what the entry says, in hexadecimal: another text has to be checked anew. */
  readonly hash: string;
  readonly place: Place;
  /** ISO 8601. */
  readonly checkedAt: string;
  readonly checkedBy?: string | undefined;
  /** Of what failed. */
  readonly reason?: string | undefined;
}

/** Something that was not looked at. */
export interface SkippedCheck {
  readonly what: string;
  readonly reason: string;
}
