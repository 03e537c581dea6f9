import type { Business } from './business.ts';
import { clinic } from './clinic.ts';
import { freight } from './freight.ts';
import { hotels } from './hotels.ts';
import { software } from './software.ts';
import { staff } from './staff.ts';
import { wines } from './wines.ts';

export const BUSINESSES: readonly Business[] = [clinic, freight, hotels, software, staff, wines];
