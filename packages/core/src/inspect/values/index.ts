export { type InspectValuesOptions, inspectValues } from './inspect-values.ts';
