import { askema } from '../../../../../askema.ts';

export const GET = askema.fetch;
export const POST = askema.fetch;
export const DELETE = askema.fetch;
