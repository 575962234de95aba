/** Ended by a fault: start it again. */
export const FAULT = 70;
/** A setting is wrong, the port or the folder is taken: starting it again would not help. */
export const REFUSED = 78;
