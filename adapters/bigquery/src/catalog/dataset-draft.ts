import type { CatalogGap, DraftRelation } from '@askema/core';

/** What was read of one dataset. */
export interface DatasetDraft {
  readonly relations: readonly DraftRelation[];
  readonly gaps: readonly CatalogGap[];
  /** True when descriptions or keys are missing that another way of reading may give. */
  readonly isPartial: boolean;
}
