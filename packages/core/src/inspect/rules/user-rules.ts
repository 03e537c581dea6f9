export { type RequiredFilter, type RequireFilterOptions, requireFilter } from './user/require-filter.ts';
export { type RequireFormatOptions, requireFormat } from './user/require-format.ts';
