import { dieAt } from '../sync/storm/journal/die-at.ts';
import { type PlantedFault, plantFault, shiftClock } from './plant-fault.ts';

/** Loaded into a server process before its own code, by the variables of `planted`. */
const { PLANTED_FAULT: fault, PLANTED_CLOCK: clock, PLANTED_POINT: point } = process.env;
if (fault !== undefined) plantFault(fault as PlantedFault);
if (clock !== undefined) shiftClock(clock);
if (point !== undefined) dieAt(point);
