import { checkWhole } from '../errors/check-option.ts';

/** Where {@link withCache} keeps answers: strings by key, so that a file, SQLite or Redis can hold them. */
export interface CacheStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
}

/** A cache in memory that forgets what was not used for the longest time. `maxEntries` is 1,000 unless given. */
export function memoryCache(options: { readonly maxEntries?: number | undefined } = {}): CacheStore {
  const maxEntries = checkWhole('memoryCache.maxEntries', options.maxEntries ?? 1000);
  // A Map keeps the order of insertion: the first key is the one that was not used for the longest time.
  const entries = new Map<string, string>();
  const touch = (key: string, value: string): void => {
    entries.delete(key);
    entries.set(key, value);
  };
  return {
    async get(key) {
      const value = entries.get(key);
      if (value !== undefined) touch(key, value);
      return value;
    },
    async set(key, value) {
      touch(key, value);
      const oldest = entries.keys().next();
      if (entries.size > maxEntries && oldest.done !== true) entries.delete(oldest.value);
    },
  };
}
