call msgls#ale#Define('stf')
