import { type PlantedFault, plantFault, shiftClock } from './plant-fault.ts';

/** Loaded into a server process before its own code, by the variables of `planted`. */
const { PLANTED_FAULT: fault, PLANTED_CLOCK: clock } = process.env;
if (fault !== undefined) plantFault(fault as PlantedFault);
if (clock !== undefined) shiftClock(clock);
