import '../../shared/quantities/decimal.test.ts';
import '../../shared/quantities/quantity.test.ts';
import '../../shared/quantities/units.test.ts';
import '../../shared/quantities/measured-unit.test.ts';
