import '../../shared/decimal.test.ts';
import '../../shared/quantity.test.ts';
import '../../shared/units.test.ts';
import '../../shared/measured-unit.test.ts';
