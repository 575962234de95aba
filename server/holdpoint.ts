#!/usr/bin/env node
const x: string = 'ok';
console.log(x, process.version, process.argv);
