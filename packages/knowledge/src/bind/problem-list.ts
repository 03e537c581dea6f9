import { type EntryKind, entryId, type KnowledgeProblem } from '../model/knowledge.ts';
import type { Standing } from '../model/standing.ts';

/** What is said of an entry. */
export interface Remark {
  readonly code: string;
  readonly message: string;
  readonly advice?: string | undefined;
  /** `error` when left out. */
  readonly severity?: KnowledgeProblem['severity'] | undefined;
}

/** The entry that a remark is about. */
export interface Subject {
  readonly kind: EntryKind;
  readonly name: string;
  readonly standing: Standing;
}

/** Collects what is wrong. */
export interface ProblemList {
  readonly problems: readonly KnowledgeProblem[];
  add(subject: Subject, remark: Remark): void;
}

export function createProblemList(): ProblemList {
  const problems: KnowledgeProblem[] = [];
  return {
    problems,
    add({ kind, name, standing }, { severity = 'error', code, message, advice }) {
      problems.push({ severity, code, entry: entryId(kind, name), place: standing.place, message, advice });
    },
  };
}
