import type { CallContext } from '../context/call-context.ts';

export interface StampOptions {
  readonly timeoutMs: number;
  readonly context: CallContext;
}

/**
 * Cheap questions that tell whether what was read of a database still holds, so that a catalog can be kept on disk. The
 * answers are opaque texts, without secrets, and compared as they are. An adapter that cannot answer truly leaves the
 * part out, or answers undefined: a stamp that misses a change would make answers silently wrong.
 */
export interface CatalogStamps {
  /**
   * What is opened, and by whom: the database, the user or role, and all else that decides what a catalog shows. Equal
   * only where equal catalogs and values may be seen.
   */
  identity(options: StampOptions): Promise<string>;
  /**
   * Equal only while the structure is the same: names, types, keys, views, comments, rights. Undefined where that is not
   * known now.
   */
  structure(options: StampOptions): Promise<string | undefined>;
  /** Equal only while the structure and every value are the same. Undefined where that is not known now. */
  data?(options: StampOptions): Promise<string | undefined>;
}
