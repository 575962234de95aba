/** A part as a client of the benchmark gives it, another for each number. */
export function benchRecord(number: number): object {
  return {
    name: `${wordOf(number)} fitting ${number}`,
    identification: `P-${String(number).padStart(8, '0')}`,
    unit_type: 'Mass',
    unit_of_measure: 'kg',
    density: 1.25,
    density_mass_unit: 'kg',
    density_volume_unit: 'l',
    is_finished_product: number % 2 === 0,
  };
}

/** Seven letters in no order, different for every number. */
export function wordOf(number: number): string {
  let state = number + 1;
  let word = '';
  for (let index = 0; index < 7; index += 1) {
    state = (state * 48_271) % 2_147_483_647;
    word += String.fromCharCode(97 + (state % 26));
  }
  return word;
}
