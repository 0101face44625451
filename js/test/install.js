// Packs the package and installs it in an empty project, target/js/project: that is what the tests import.

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packed, project } from './project.js'

const npm = (...given) => execFileSync('npm', given, { stdio: ['ignore', 'ignore', 'inherit'] })

rmSync(project, { recursive: true, force: true })
mkdirSync(project, { recursive: true })
process.chdir(join(import.meta.dirname, '..'))
npm('pack', '--silent', '--pack-destination', project)
process.chdir(project)
writeFileSync('package.json', JSON.stringify({ name: 'project', private: true, type: 'module' }))
npm('install', '--silent', '--offline', '--no-audit', '--no-fund', packed)
