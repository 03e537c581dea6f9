import type { CallContext } from '../context/call-context.ts';
import type { AttributeId } from '../schema/schema.ts';

/** A cell of the database that a piece of the question may mean. Plain JSON: it goes into task inputs. */
export interface ValueMatch {
  /** The piece of the question, as it stands there. */
  readonly mention: string;
  readonly attribute: AttributeId;
  /** The cell, exactly as stored. */
  readonly value: string;
  /** 1 for the same text but for case; lower for less alike. */
  readonly score: number;
}

export interface ValueQuery {
  readonly text: string;
  /** Only in these attributes; undefined means everywhere. */
  readonly attributes?: readonly AttributeId[] | undefined;
  readonly limit: number;
  /** Less alike cells are not wanted: an index need not look for them. */
  readonly minScore?: number | undefined;
  readonly context: CallContext;
}

/** Finds cells by their text. Passed beside an adapter, with a life of its own. */
export interface ValueIndex {
  find(query: ValueQuery): Promise<readonly ValueMatch[]>;
  /**
   * How much of an attribute it knows: `whole` when every distinct cell was read, so that a text that is not found does
   * not occur; `part` when only some were; `none` when it holds nothing of the attribute. May read the attribute. An
   * index without it is taken for `part`.
   */
  covers?(attribute: AttributeId, context: CallContext): Promise<'whole' | 'part' | 'none'>;
  close(): Promise<void>;
}
