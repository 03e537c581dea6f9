/** Where a piece of knowledge is written, so that a message can lead there. */
export interface Place {
  /** Relative to the folder of the knowledge, with `/`; of knowledge made in code: `code`. */
  readonly file: string;
  /** 1-based. */
  readonly line?: number | undefined;
}

/**
 * `proposed`: drafted, imported or suggested, and not yet accepted by a person. `accepted`: somebody stands by it.
 * `failed`: the last check found that it does not hold. Only what is accepted reaches a model or an answer.
 */
export type KnowledgeState = 'proposed' | 'accepted' | 'failed';

/** What is known of a piece of knowledge beside what it says. */
export interface Standing {
  readonly state: KnowledgeState;
  /** Who or what said it: `file`, `dbt`, `snowflake`, `wren`, `catalog`, `log`, `model:openai:…`. */
  readonly source: string;
  readonly owner?: string | undefined;
  /** ISO 8601, of the last check. */
  readonly checkedAt?: string | undefined;
  readonly checkedBy?: string | undefined;
  /** Of what failed: why, in one sentence. */
  readonly reason?: string | undefined;
  readonly place: Place;
  /** Whose proposal it is; undefined for one that everybody sees, and for what is accepted. */
  readonly by?: string | undefined;
  /** Of a proposal: its author uses it before anybody accepts it. No file says so. */
  readonly isTried?: true | undefined;
}

/** The folder of what nobody has accepted yet: below it stands the same again. */
export const PROPOSALS = 'proposals';
/** Below it, a folder for each person: what that person alone proposes. */
export const PERSONAL = `${PROPOSALS}/by`;

/** Nobody has accepted it, be it that the last check found that it does not hold. */
export function isProposal({ state, place }: Standing): boolean {
  return state === 'proposed' || place.file.startsWith(`${PROPOSALS}/`);
}

/** It may reach a model or an answer. */
export function isInUse({ state, isTried }: Standing): boolean {
  return state === 'accepted' || (state === 'proposed' && isTried === true);
}

const PROPOSED = /^proposals\/(?:by\/(?<person>[^/]+)\/)?(?=[^/]+\/)/;

/** Where a proposal stands once it is accepted: `proposals/by/ann/sql/a.md` becomes `sql/a.md`. */
export function acceptedPlace(file: string): string {
  return file.replace(PROPOSED, '');
}

/** The folder of the person whose proposal a file holds, without `proposals/by/`. */
export function personalFolderOf(file: string): string | undefined {
  return PROPOSED.exec(file)?.groups?.person;
}
