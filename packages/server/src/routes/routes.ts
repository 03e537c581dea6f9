import { databases } from './databases.ts';
import { health } from './health.ts';
import type { Route } from './route.ts';

/** All routes of the server. */
export const ROUTES: readonly Route[] = [health, databases];
