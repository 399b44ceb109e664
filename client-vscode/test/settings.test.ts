import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Configuration, settled } from '../src/settings';

const SETTINGS: Record<string, [unknown, ReturnType<Configuration['inspect']>]> = {
  'msgls.lint.select': [['ALL'], { key: 'msgls.lint.select', defaultValue: ['ALL'] }],
  'msgls.lint.ignore': [['MSG1'], { defaultValue: [], globalValue: ['MSG1'] }],
  'msgls.lint.severity': [{}, { defaultValue: {}, workspaceFolderValue: {} }],
  'msgls.section': ['S', { defaultValue: 'D', workspaceLanguageValue: 'S' }],
  'msgls.dialect': ['@', { defaultValue: 'auto', defaultLanguageValue: '@' }],
  'msgls.features.hover': [false, { defaultValue: true, workspaceValue: false }],
  'other.thing': [1, { globalValue: 1 }],
};
const CONFIGURATION = {
  get: (name: string) => SETTINGS[name]?.[0],
  inspect: (name: string) => SETTINGS[name]?.[1],
};

it('what somebody has set is told, nested, and no default', () => {
  assert.deepEqual(settled([...Object.keys(SETTINGS), 'msgls.unknown'], 'msgls', CONFIGURATION), {
    lint: { ignore: ['MSG1'], severity: {} },
    section: 'S',
    features: { hover: false },
  });
});

it('a part of it is told by itself', () => {
  const told = settled(Object.keys(SETTINGS), 'msgls.lint', CONFIGURATION);
  assert.deepEqual(told, { ignore: ['MSG1'], severity: {} });
});
