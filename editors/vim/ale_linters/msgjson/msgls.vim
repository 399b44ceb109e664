call msgls#ale#Define('msgjson')
